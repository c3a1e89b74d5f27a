import type { Binding } from '../../../api/core_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { notFound } from '../../../machinery/meta/status.js';
import { kind as Pods } from '../pod/kind.js';

/** POST of bindings does what POST of pods/NAME/binding does. Models LegacyBindingREST of pkg/registry/core/pod. */
export const kind = defineKind<Binding>({
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  singular: 'binding',
  scope: 'Namespaced',
  definition: 'io.k8s.api.core.v1.Binding',
  verbs: ['create'],
  evaluate(binding, client) {
    const { namespace = '', name = '' } = binding.metadata;
    if (!client.get(Pods, { namespace, name })) throw notFound({ group: '', plural: 'pods' }, name);
    client.subresource(Pods, { namespace, name }, 'binding', binding);
    return binding;
  },
});
