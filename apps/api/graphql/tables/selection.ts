import { Refusal } from '@terrarium/platform';

/** The rows of one resource that somebody looks at. */
export interface TableSelection {
  /** 'apps/v1', or 'v1'. */
  readonly apiVersion: string;
  /** The plural. */
  readonly resource: string;
  /** Absent: of all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

const API_VERSION = /^(?:[a-z0-9][a-z0-9.-]{0,252}\/)?[a-z0-9]{1,63}$/;
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** The path of a collection. Throws Refusal 400 for what cannot stand in one. */
export function pathOf({ apiVersion, resource, namespace }: TableSelection): string {
  if (!API_VERSION.test(apiVersion)) throw new Refusal(400, `apiVersion ${JSON.stringify(apiVersion)} is not one`);
  if (!NAME.test(resource)) throw new Refusal(400, `resource ${JSON.stringify(resource)} is not one`);
  if (namespace !== undefined && !NAME.test(namespace))
    throw new Refusal(400, `namespace ${JSON.stringify(namespace)} is not one`);
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespace === undefined ? `${root}/${resource}` : `${root}/namespaces/${namespace}/${resource}`;
}

export const groupOf = ({ apiVersion }: Pick<TableSelection, 'apiVersion'>): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** The selectors as a query, with what else it says. */
export function queryOf(
  { labelSelector, fieldSelector }: Pick<TableSelection, 'labelSelector' | 'fieldSelector'>,
  rest: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ labelSelector, fieldSelector, ...rest }))
    if (value !== undefined && value !== '') query.set(name, String(value));
  return query.toString();
}
