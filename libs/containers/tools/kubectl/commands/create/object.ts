import { printObject, readFormat } from '../../output/printer.js';
import { nameOf } from '../../output/printer.js';
import { withAnnotation } from '../write/last-applied.js';
import { apiVersionOf, pathOf, shownResource } from '../../discovery/resources.js';
import { ApiFailure, KubectlFailure, UsageFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { dryRunOf, dryRunSuffix, writeQuery } from '../command.js';

/** Creates an object that a command has made, and says so. `what`: how a failure names it. */
export function createObject(session: Session, object: ApiObject, what: string, manager = 'kubectl-create'): ApiObject {
  const { flags } = session;
  const format = readFormat(session);
  const full = flags.isOn('save-config') ? withAnnotation(object) : object;
  const mode = dryRunOf(session);
  const made = mode === 'client' ? full : post(session, full, what, manager);
  if (flags.has('output'))
    session.out(printObject(session, format, mode === 'client' ? withNamespace(session, made) : made));
  else session.out(`${shownName(session, made)} created${dryRunSuffix(session)}\n`);
  return made;
}

/** A client's dry run shows the namespace only when it was given. */
function withNamespace(session: Session, object: ApiObject): ApiObject {
  const namespace = session.flags.value('namespace');
  if (namespace === '' || !NAMESPACED.test(object.kind ?? '')) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
const NAMESPACED = /^(?!Namespace$|ClusterRole|PriorityClass$)/;

function shownName(session: Session, object: ApiObject): string {
  if (dryRunOf(session) === 'client') return nameOf(object);
  const resource = resourceOf(session, object);
  return resource ? `${shownResource(resource)}/${object.metadata?.name ?? ''}` : nameOf(object);
}

const resourceOf = (session: Session, { apiVersion, kind }: ApiObject): Session['resources'][number] | undefined =>
  session.resources.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind);

function post(session: Session, object: ApiObject, what: string, manager: string): ApiObject {
  const resource = resourceOf(session, object);
  if (!resource) throw new KubectlFailure(`no matches for kind "${object.kind}" in version "${object.apiVersion}"`);
  const namespace = resource.isNamespaced ? (object.metadata?.namespace ?? session.namespace) : '';
  try {
    return session.post(
      pathOf(resource, namespace) + writeQuery(session, manager, { fieldValidation: 'Strict' }),
      object,
    );
  } catch (error) {
    if (!(error instanceof ApiFailure) || what === '' || error.reason === 'Invalid') throw error;
    throw new KubectlFailure(`failed to create ${what}: ${error.message}`);
  }
}

/** The one NAME of a command's arguments before `--`. Throws UsageFailure. */
export function nameOfArgs(session: Session): string {
  const args = session.dashAt < 0 ? session.args : session.args.slice(0, session.dashAt);
  if (args.length === 1) return args[0]!;
  throw new UsageFailure(`exactly one NAME is required, got ${args.length}`, session.path);
}

/** What stands behind `--`. */
export const commandOf = ({ args, dashAt }: Session): readonly string[] => (dashAt < 0 ? [] : args.slice(dashAt));

/** Throws KubectlFailure for flags that are not there. */
export function requireFlags({ flags }: Session, ...names: readonly string[]): void {
  const missing = names.filter((name) => !flags.has(name));
  if (missing.length > 0)
    throw new KubectlFailure(`required flag(s) ${missing.map((name) => `"${name}"`).join(', ')} not set`);
}

export const nameOfImage = (image: string): string => {
  const base = image.slice(image.lastIndexOf('/') + 1);
  return base.split(/[:@]/, 1)[0]!;
};
