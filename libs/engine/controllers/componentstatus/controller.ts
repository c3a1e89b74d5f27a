import type { ComponentCondition } from '../../api/core_v1.js';
import { Components, ComponentStatus, NodeRuntimes } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { NodeRuntime } from '../../kinds/terrarium/noderuntime/kind.js';
import { defineController, watch } from '../../runtime/controller.js';

/** Where the API server asks a component's health, by the name of its ComponentStatus. */
const PROBED: Readonly<Record<string, { readonly component: string; readonly address: string }>> = {
  scheduler: { component: 'kube-scheduler', address: '127.0.0.1:10259' },
  'controller-manager': { component: 'kube-controller-manager', address: '127.0.0.1:10257' },
};

/**
 * Says of each component of the control plane whether it answers. Models
 * pkg/registry/core/componentstatus/rest.go. Upstream asks the components at each read.
 */
export const controller = defineController({
  name: 'componentstatus',
  component: 'terrarium',
  actor: 'system:apiserver',
  for: {
    kind: Components,
    *keys({ metadata }) {
      for (const name in PROBED) if (PROBED[name]!.component === metadata.name) yield { namespace: '', name };
    },
  },
  watches: [
    watch({
      kind: NodeRuntimes,
      when: ({ broken }: NodeRuntime, old?: NodeRuntime) => !deepEqual(broken, old?.broken),
      keys: () => Object.keys(PROBED).map((name) => ({ namespace: '', name })),
    }),
  ],
  reconcile({ client }, key) {
    const status = client.get(ComponentStatus, key);
    const { component, address } = PROBED[key.name]!;
    if (!status) return;
    const isEnabled = client.get(Components, { namespace: '', name: component })?.spec.enabled !== false;
    const isBroken = client.list(NodeRuntimes).some(({ broken }) => broken?.[component] !== undefined);
    const conditions = [isEnabled && !isBroken ? HEALTHY : refused(address)];
    if (!deepEqual(conditions, status.conditions)) client.update(ComponentStatus, { ...status, conditions });
  },
});

const HEALTHY: ComponentCondition = { type: 'Healthy', status: 'True', message: 'ok' };

/** What Go's HTTP client says when no process listens. */
const refused = (address: string): ComponentCondition => ({
  type: 'Healthy',
  status: 'False',
  message: `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`,
});
