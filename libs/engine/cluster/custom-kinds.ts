import type { CustomResourceDefinition } from '../api/apiextensions_v1.js';
import { compileCrd } from '../extensions/compile.js';
import { CustomResourceDefinitions } from '../kinds/index.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { CallWebhook } from '../machinery/requests/webhook.js';
import type { Registry } from '../runtime/registry.js';
import type { State } from '../runtime/state/state.js';

/** Keeps the registry's custom kinds those of the established CustomResourceDefinitions, through rollbacks too. */
export function serveCustomKinds(state: State, registry: Registry, callWebhook: CallWebhook): void {
  state.observe(state.resourceOf(CustomResourceDefinitions), (old, next) => {
    for (const { group, version, plural } of compileEstablished(old)) {
      const served = registry.resource(group, version, plural);
      if (served) registry.remove(served);
    }
    for (const kind of compileEstablished(next, callWebhook)) {
      registry.add(kind);
      indexKind(state, kind);
    }
  });
}

/** Builds the kind's own indexes; a version of a resource that is stored as another one has none. */
export function indexKind(state: State, kind: Kind): void {
  if (kind.storedAs) return;
  for (const [name, of] of Object.entries(kind.indexes ?? {})) state.addIndex(state.resourceOf(kind), name, of);
}

function compileEstablished(object: KubeObject | undefined, callWebhook?: CallWebhook): readonly Kind[] {
  const crd = object as CustomResourceDefinition | undefined;
  const isEstablished = crd?.status?.conditions?.some((c) => c.type === 'Established' && c.status === 'True');
  return crd && isEstablished ? compileCrd(crd, callWebhook) : [];
}
