import { defineKind } from '../../../machinery/kind.js';
import { invalidValue, Path, required, tooLong, typeInvalid, type FieldError } from '../../../machinery/meta/field.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import { unknownFields } from '../unknown-fields.js';
import { readWebUrl } from './url.js';

export { readWebUrl, type WebUrl } from './url.js';

export interface WebFileSpec {
  /** 'https://example.com/a.yaml'. */
  readonly url: string;
  /** What is there, as text; or `binaryContent`, in base64. */
  readonly content?: string;
  readonly binaryContent?: string;
}

/** A file of the web outside of the cluster: else nothing outside answers. */
export interface WebFile extends KubeObject {
  spec: WebFileSpec;
  status: Record<string, unknown>;
}

/** Characters of a content, in base64 too. */
const MAX_CONTENT = 1024 * 1024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const kind = defineKind<WebFile>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'WebFile',
  plural: 'webfiles',
  singular: 'webfile',
  scope: 'Cluster',
  definition: '',
  generation: true,
  indexes: {
    host: ({ spec }) => {
      const host = readWebUrl(spec?.url)?.host;
      return host === undefined ? [] : [host];
    },
  },
  columns: [nameColumn, column('URL', 'string', ({ spec }) => spec.url), ageColumn],
  defaults(draft) {
    draft.spec = { ...draft.spec };
  },
  validate: ({ spec }) => validateSpec(spec, Path.of('spec')),
});

function validateSpec(spec: WebFileSpec, path: Path): FieldError[] {
  const errors = unknownFields(spec, ['url', 'content', 'binaryContent'], path);
  const { url, content, binaryContent } = spec;
  if (url === undefined) errors.push(required(path.child('url')));
  else if (!readWebUrl(url))
    errors.push(
      invalidValue(
        path.child('url'),
        url,
        "must be a URL of http or https with a host name outside of the cluster, such as 'https://example.com/a.yaml'",
      ),
    );
  if ((content === undefined) === (binaryContent === undefined))
    errors.push(required(path, 'one of content and binaryContent'));
  for (const [name, text] of Object.entries({ content, binaryContent })) {
    if (text === undefined) continue;
    if (typeof text !== 'string') errors.push(typeInvalid(path.child(name), text, 'must be a string'));
    else if (text.length > MAX_CONTENT) errors.push(tooLong(path.child(name), MAX_CONTENT));
    else if (name === 'binaryContent' && !BASE64.test(text))
      errors.push(invalidValue(path.child(name), text.slice(0, 20), 'must be base64'));
  }
  return errors;
}
