import { apiServerOf } from '../../../kinds/terrarium/noderuntime/api-server.js';
import type { Kind } from '../../../machinery/kind.js';
import type { AdmissionPlugin } from '../../../runtime/admission.js';
import { AdmissionAttributes } from '../admission/admission-attributes.js';
import type { BodyWrite, CreateWrite, DeleteWrite, UpdateWrite, Write } from '../write.js';

export function admitMutatingCreate(write: CreateWrite): void {
  const plugins = pluginsForObject(write);
  if (plugins.length > 0) admitMutating(write, plugins, new AdmissionAttributes(write, write.draft, undefined));
}

export function admitMutatingUpdate(write: UpdateWrite): void {
  const plugins = pluginsForObject(write);
  if (plugins.length > 0) admitMutating(write, plugins, new AdmissionAttributes(write, write.draft, write.old));
}

export function admitMutatingDelete(write: DeleteWrite): void {
  const plugins = pluginsForObject(write);
  if (plugins.length > 0) admitMutating(write, plugins, new AdmissionAttributes(write, undefined, write.old));
}

export function admitMutatingBody(write: BodyWrite): void {
  const { writer, kind, body } = write;
  const plugins = writer.admission.pluginsFor(writer.state.resourceOf(kind), 'body', apiServerOf(writer.state));
  if (plugins.length > 0) admitMutating(write, plugins, new AdmissionAttributes(write, body.object, undefined, body));
}

function pluginsForObject({ writer, kind, subresource }: Write): readonly AdmissionPlugin[] {
  const handled = subresource && takesBodies(kind, subresource) ? 'parent' : 'object';
  return writer.admission.pluginsFor(writer.state.resourceOf(kind), handled, apiServerOf(writer.state));
}

/** Whether a subresource is one that bodies are posted to (pods/binding), rather than a part of the object. */
const takesBodies = (kind: Kind, subresource: string): boolean =>
  kind.subresources?.actions?.[subresource]?.verbs.includes('create') ?? false;

/** Runs the mutating plug-ins, and once more when one asks for it: see reinvocationPolicy of webhooks. */
function admitMutating(write: Write, plugins: readonly AdmissionPlugin[], attributes: AdmissionAttributes): void {
  write.plugins = plugins;
  write.admission = attributes;
  for (const plugin of plugins) plugin.mutate?.(attributes);
  if (!attributes.needsReinvocation) return;
  attributes.round = 1;
  for (const plugin of plugins) plugin.mutate?.(attributes);
}

export function admitValidating({ plugins, admission }: Write): void {
  if (admission) for (const plugin of plugins) plugin.validate?.(admission);
}
