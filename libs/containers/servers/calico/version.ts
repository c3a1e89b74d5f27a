/** What a tag of Calico's images says of its release, as they have it in their variables. */
export const versionVariant = (tag: string): { readonly env: Readonly<Record<string, string>> } => ({
  env: /^v\d/.test(tag) ? { CALICO_VERSION: tag } : {},
});
