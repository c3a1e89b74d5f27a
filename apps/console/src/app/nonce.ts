/** Styles that a library puts into the page must carry this: CodeMirror takes it as EditorView.cspNonce. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
