import { defineKind, type Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';

/** A kind of the tests' own: a widget has a size, and belongs to a shelf. */
export interface Widget extends KubeObject {
  spec: { size?: number; shelf?: string };
  status: { seen?: number };
}

export const Widgets: Kind<Widget> = defineKind<Widget>({
  group: 'test.dev',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  scope: 'Namespaced',
  definition: '',
  subresources: { status: true },
  indexes: { shelf: (w) => (w.spec.shelf ? [w.spec.shelf] : []) },
});

export const widget = (
  name: string,
  spec: Widget['spec'] = {},
  metadata: Partial<KubeObject['metadata']> = {},
): Widget => ({
  apiVersion: 'test.dev/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', ...metadata },
  spec,
  status: {},
});
