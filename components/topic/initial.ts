/** Returns what stands for a topic without a picture: the first letter or digit of its title, else its first character. */
export function initialOf(title: string): string {
  const characters = [...title];
  return (characters.find((one) => /[\p{L}\p{N}]/u.test(one)) ?? characters[0] ?? "").toUpperCase();
}
