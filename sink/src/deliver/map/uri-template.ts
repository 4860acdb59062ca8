export type TemplatePart = string | { readonly column: string };

/** Splits `https://…/${id}` into its text and its columns. */
export function templateParts(template: string): TemplatePart[] {
  return template
    .split(/(\$\{[^}]*\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('${') && part.endsWith('}') ? { column: part.slice(2, -1) } : part));
}
