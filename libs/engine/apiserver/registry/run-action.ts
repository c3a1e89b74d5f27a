import type { ActionRequest, Kind } from '../../machinery/kind.js';
import { keyOf, type KubeObject, type Unstructured } from '../../machinery/meta/object.js';
import type { WriteOptions } from './write-options.js';
import type { Writer } from './writer.js';

/** Runs an action of a kind (pods/binding, namespaces/finalize) on an object for a component. Returns its answer. */
export function runAction<T extends KubeObject>(
  writer: Writer,
  kind: Kind<T>,
  name: string,
  request: Pick<ActionRequest<T>, 'verb' | 'object' | 'body' | 'query'>,
  options: WriteOptions,
): unknown {
  const action = kind.subresources!.actions![name]!;
  let { body } = request;
  if (action.verbs.includes('create')) {
    const object = (body = copyForAdmission(body as Unstructured));
    writer.admitBody('CREATE', kind, name, { key: keyOf(request.object), type: action.kind ?? kind, object }, options);
  }
  return action.handle({
    ...request,
    body,
    client: writer.client(options),
    context: writer.context(options.requester.user),
    store: (draft) => writer.update(kind, { ...draft }, options, name),
  });
}

/** Admission mutates a body and its metadata in place. */
const copyForAdmission = (body: Unstructured): Unstructured => ({ ...body, metadata: { ...body.metadata } });
