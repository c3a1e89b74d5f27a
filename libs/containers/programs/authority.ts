import {
  ApiError,
  CustomResourceDefinitions,
  MutatingWebhookConfigurations,
  Secrets,
  ValidatingWebhookConfigurations,
  type Client,
  type Kind,
} from '@terrarium/engine';

/** Stands for a certificate or key, in base64: nothing in a simulated cluster checks a signature. */
export const pem = (type: string, text: string): string =>
  btoa(`-----BEGIN ${type}-----\n${btoa(text)}\n-----END ${type}-----\n`);

const CONFIGURATIONS = {
  validating: ValidatingWebhookConfigurations,
  mutating: MutatingWebhookConfigurations,
} as const;
type Configurations = typeof ValidatingWebhookConfigurations;

/** Certificates and keys as an operator's program makes them for itself. */
export const ownCertificates = (host: string): Record<string, string> => ({
  'ca.crt': pem('CERTIFICATE', 'authority'),
  'ca.key': pem('RSA PRIVATE KEY', 'authority'),
  'tls.crt': pem('CERTIFICATE', host),
  'tls.key': pem('RSA PRIVATE KEY', host),
});

/** Fills a Secret that is missing or empty; returns its data. */
export function ensureSecret(
  api: Client,
  key: { readonly namespace: string; readonly name: string },
  data: () => Record<string, string>,
  annotations?: Record<string, string>,
): Record<string, string> {
  const found = api.get(Secrets, key);
  if (found?.data?.['ca.crt']) return found.data;
  const made = data();
  if (found) api.update(Secrets, { ...found, data: { ...found.data, ...made } });
  else
    api.create(Secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...key, ...(annotations ? { annotations } : {}) },
      data: made,
    });
  return made;
}

/**
 * Puts an authority into every webhook of a configuration, if it is there; says so. Writes nothing when nothing
 * changes.
 */
export function trust(
  api: Client,
  sort: 'validating' | 'mutating',
  name: string,
  caBundle: string,
  failurePolicy = '',
): boolean {
  const kind = CONFIGURATIONS[sort] as Configurations;
  const found = api.get(kind, { namespace: '', name });
  if (!found) return false;
  const webhooks = found.webhooks?.map((w) => ({
    ...w,
    clientConfig: { ...w.clientConfig, caBundle },
    ...(failurePolicy ? { failurePolicy } : {}),
  }));
  api.update(kind, { ...found, webhooks });
  return true;
}

/**
 * Everything that carries an annotation gets the authority that it names; one that is not known yet is for later. Says
 * whether all have theirs.
 */
export function trustAnnotated(
  api: Client,
  annotation: string,
  authority: (named: string) => string | undefined,
): boolean {
  let all = true;
  const each = (annotations: Record<string, string> | undefined, give: (caBundle: string) => void): void => {
    const named = annotations?.[annotation];
    if (!named) return;
    const found = authority(named);
    if (found) give(found);
    else all = false;
  };
  for (const sort of ['validating', 'mutating'] as const) {
    for (const { metadata } of api.list(CONFIGURATIONS[sort] as Configurations))
      each(metadata.annotations, (found) => trust(api, sort, metadata.name ?? '', found));
  }
  for (const crd of api.list(CustomResourceDefinitions))
    each(crd.metadata.annotations, (found) => trustConversion(api, crd, found));
  return all;
}

type Definition = typeof CustomResourceDefinitions extends Kind<infer T> ? T : never;

function trustConversion(api: Client, crd: Definition, caBundle: string): void {
  const { conversion } = crd.spec;
  if (!conversion?.webhook) return;
  const clientConfig = { ...conversion.webhook.clientConfig, caBundle };
  api.update(CustomResourceDefinitions, {
    ...crd,
    spec: { ...crd.spec, conversion: { ...conversion, webhook: { ...conversion.webhook, clientConfig } } },
  });
}

/** 'namespace/name'. */
export const named = (text: string): { namespace: string; name: string } => {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
};

/** Two programs may do the same at once. */
export function tolerating(work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 409) return false;
    throw error;
  }
}
