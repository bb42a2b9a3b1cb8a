/** White space, control characters, and what Unicode says is shown as nothing; the empty Braille cell is too. */
const invisible = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a text shows nothing: empty, or made of spaces, joiners, selectors, fillers and marks of order alone. */
export const isBlank = (text: string): boolean => invisible.test(text)
