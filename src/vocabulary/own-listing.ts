/** The texts of a listing that its owner writes in App Store Connect, and what tools call them. */

/** A text of a listing, by the names of the listing audit. */
export const ownTexts = {
  name: { file: 'name', names: ['name', 'title', 'appname'] },
  subtitle: { file: 'subtitle', names: ['subtitle'] },
  'keyword-field': { file: 'keywords', names: ['keywords', 'keyword', 'keywordfield'] },
  'promotional-text': {
    file: 'promotional_text',
    names: ['promotionaltext', 'promotext', 'promotionalcopy'],
  },
  description: { file: 'description', names: ['description', 'fulldescription', 'appdescription'] },
  'release-notes': { file: 'release_notes', names: ['whatsnew', 'releasenotes', 'whatsnewinthisversion'] },
} as const satisfies Record<string, OwnTextNames>

interface OwnTextNames {
  /** The file of a fastlane folder, without `.txt`: `LOCALISED_VERSION_VALUES` and `LOCALISED_APP_VALUES` of deliver. */
  file: string
  /**
   * Letters of the names in JSON and tables, lower case: of the App Store Connect API (`whatsNew`, `promotionalText`), of Expo's
   * `store.config.json` (`title`, `promoText`, `releaseNotes`) and of tables that people keep.
   */
  names: readonly string[]
}

export type OwnTextField = keyof typeof ownTexts

export const ownTextFields = Object.keys(ownTexts) as readonly OwnTextField[]

const byName: ReadonlyMap<string, OwnTextField> = new Map(
  ownTextFields.flatMap((field) => ownTexts[field].names.map((name) => [name, field] as const)),
)

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** The text that a property or a column of this name holds. */
export const ownTextNamed = (name: string): OwnTextField | undefined => byName.get(lettersOf(name))

/** The text that a file of a fastlane folder holds, by its name without `.txt`. */
export const ownTextOfFile = (name: string): OwnTextField | undefined =>
  ownTextFields.find((field) => ownTexts[field].file === name.toLowerCase())

/** Whether a property or a column of this name holds the code of a localization. */
export const isLocalizationColumn = (name: string): boolean =>
  ['locale', 'localization', 'localisation', 'language', 'lang', 'localecode', 'languagecode'].includes(
    lettersOf(name),
  )
