/** White space, control characters, characters that Unicode defines as invisible, and the empty Braille cell. */
const invisible = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a text shows nothing: it is empty, or only spaces, joiners, selectors, fillers and direction marks. */
export const isBlank = (text: string): boolean => invisible.test(text)
