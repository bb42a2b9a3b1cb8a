/** The key of a field as a label: `paidBy` is "Paid by". */
export function labelFromKey(key: string): string {
  const words = key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
