import { type Area, words } from './theme.ts'

/** Second words of invented brands: nobody has yet called a bank Haddock. */
export const oddments = words(
  'Haddock Gazebo Thimble Walrus Turnip Teapot Kettle Pigeon Marmalade Bagpipe Newt Parsnip Weasel Crumpet ' +
    'Doorknob Gherkin Heron Hatstand Cardigan Custard Puffin Sprocket Trombone Umbrella Wombat Yak Zeppelin ' +
    'Button Cabbage Dumpling Ferret Goose Jellybean Kazoo Lobster Mitten Noodle Oyster Pickle Quince Radish ' +
    'Sardine Toadstool Vicar Waffle Moose Biscuit Bobbin Accordion Pudding',
)

export const manners = words(
  'Polite Sleepy Grand Humble Curious Tiny Brave Tidy Lucky Gentle Stubborn Merry Wandering Patient Midnight',
)

type Maker = { readonly name: string; readonly seller: string }

const maker = (line: string): Maker => {
  const [name = '', legal = 'LLC'] = line.split('|')
  return { name, seller: `${name} ${legal}`.trim() }
}

const makers = (text: string): Maker[] => text.trim().split(/\n\s*/).map(maker)

/** Developers by what they make: the name in the store, and the legal form of the seller. */
export const developers: Readonly<Record<Area, readonly Maker[]>> = {
  games: makers(`
    Three Herons Games|Ltd.
    Unlikely Bear Studio|LLC
    Paper Anchor Games|Inc.
    Goose & Ladder|Ltd.
    Fourth Biscuit Interactive|AB
    Rubber Cathedral|Oy
    Midnight Teacup Games|LLC
    Left Sock Studios|Pty Ltd
    Overgrown Pixel|S.A.
    Kitchen Dragon|Inc.
    Velvet Hammer Games|B.V.
    Loud Snail|GmbH
    Tin Parrot Entertainment|Ltd.
    Sunday Goblin|LLC
    Seven Doors Down|Inc.
    Borrowed Hat Games|SAS
    Copper Walrus|Ltd.
    Gravity Picnic|Inc.
    Old Lighthouse Play|AS
    Plucky Turnip|LLC
    Wobbly Table Games|Ltd.
    Hollow Moon Arcade|Inc.
    Marmot Brothers|S.r.l.
    Second Breakfast Studio|LLC
    Blue Wheelbarrow|Ltd.
  `),
  money: makers(`
    Prudent Otters|Inc.
    Brass Button Finance|Ltd.
    Counting House Software|LLC
    Even Keel Money|Inc.
    Thirteenth Paycheck|LLC
    Mattress & Sons|Ltd.
    Round Number Labs|Inc.
    Honest Abacus|B.V.
    Small Change Company|Inc.
    Quarterly Calm|LLC
    Long Spoon Capital Apps|Ltd.
    Rainy Day Technology|Inc.
    Penny Farthing Works|Ltd.
    Blue Ledger Software|S.A.
  `),
  work: makers(`
    Mildly Useful Software|LLC
    Paperclip Parliament|Ltd.
    Third Monitor|Inc.
    Quiet Keyboard|LLC
    Inbox Lighthouse|Inc.
    Sharpened Pencil|ApS
    Reasonable Tools|GmbH
    Tuesday Morning Apps|LLC
    Standing Desk Society|Ltd.
    Nine to Fiveish|Inc.
    Ctrl Alt Garden|B.V.
    Stapler & Daughters|Ltd.
    Deep Drawer|LLC
    Half a Day Software|Inc.
    Good Margin|Oy
  `),
  life: makers(`
    Warm Scarf Labs|Inc.
    Open Window Health|LLC
    Two Left Feet|Ltd.
    Porridge Technologies|Inc.
    Longer Evenings|LLC
    Pocket Weather Company|Inc.
    Slow Cooker Club|Ltd.
    Map & Thermos|AS
    Kind Alarm|Inc.
    Damp Boots|Ltd.
    Good Neighbour Apps|LLC
    Sensible Shoes|Inc.
    Breadcrumb Travel|S.L.
    Orchard Street Living|Inc.
    The Tall Grass Company|LLC
    Still Water Apps|Inc.
    Spare Room Software|Pty Ltd
  `),
  media: makers(`
    Silent Piano|Inc.
    Front Row Seats|LLC
    Crooked Tripod|Ltd.
    Marginalia Press Digital|Inc.
    Small Hours Radio|LLC
    Loud Library|Ltd.
    Owl & Projector|SAS
    Bright Corner Learning|Inc.
    Kite String Education|LLC
    Postcard Weather|Ltd.
    Nine Letters|Inc.
    Hallway Light Social|LLC
    Grainy Picture Company|Inc.
    Evening Edition Labs|Ltd.
    Tall Story Audio|LLC
    First Verb|GmbH
  `),
}

/** People who publish under their own name. They are invented as well. */
export const soloists = makersOfOne(`
  Agnes Thornbottom
  Tobiah Lindenquist
  Marta Quillfeather
  Olu Brightwater-Osei
  Henrike Sauerteig
  Priyanka Dovecote
  Luc Parapluie
  Sanna Kivikoski-Byrd
  Teodor Wickerbasket
  Yolanda Figueroa-Plum
  Bram van der Kachel
  Ines Cantabile
  Dov Applegarth
  Wilhelmina Oats
  Kofi Lanternman
  Rosalind Fenwicket
  Pavel Zvonek-Hart
  Mei-Lin Thistlewood
`)

function makersOfOne(text: string): Maker[] {
  return text
    .trim()
    .split(/\n\s*/)
    .map((name) => ({ name, seller: name }))
}
