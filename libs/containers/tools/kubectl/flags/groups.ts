/** Flags that every command knows. */
export const GLOBAL: readonly string[] = [
  ...['n,namespace:', 'kubeconfig:', 'context:', 'cluster:', 'user:', 's,server:', 'token:', 'as:', 'as-group:'],
  ...['as-uid:', 'request-timeout:', 'v,v:', 'insecure-skip-tls-verify', 'certificate-authority:', 'client-key:'],
  ...['client-certificate:', 'cache-dir:', 'match-server-version', 'warnings-as-errors', 'tls-server-name:'],
  ...['disable-compression', 'h,help', 'kuberc:', 'log-flush-frequency:', 'vmodule:', 'profile:'],
];

export const SELECT: readonly string[] = ['l,selector:', 'field-selector:', 'A,all-namespaces', 'all', 'local'];
export const FILES: readonly string[] = ['f,filename:', 'k,kustomize:', 'R,recursive'];
export const PRINT: readonly string[] = [
  ...['o,output:', 'show-managed-fields', 'template:', 'allow-missing-template-keys'],
];
/** Of commands that write. */
export const WRITE: readonly string[] = ['dry-run::unchanged', 'field-manager:', 'validate::strict', 'save-config'];
