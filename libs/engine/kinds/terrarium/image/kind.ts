import type { KubeObject } from '../../../machinery/meta/object.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { forbiddenField, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import type { ImageSpec } from './spec.js';
import { validateSpec } from './validate.js';

/**
 * An image that a cluster's author adds to those that its nodes can pull. It runs as its spec says; without contents it
 * is some server.
 */
export interface Image extends KubeObject {
  spec: ImageSpec;
  status: Record<string, unknown>;
}

export const kind = defineKind<Image>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Image',
  plural: 'images',
  singular: 'image',
  scope: 'Cluster',
  definition: '',
  generation: true,
  indexes: { repository: ({ spec }) => (typeof spec?.repository === 'string' ? [spec.repository] : []) },
  columns: [
    nameColumn,
    column('Repository', 'string', ({ spec }) => spec.repository ?? ''),
    column('Tags', 'string', ({ spec }) => spec.tags?.join(',') ?? '*'),
    ageColumn,
  ],
  defaults(draft) {
    draft.spec = { ...draft.spec };
  },
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate,
});

/** What has run of an image is computed from it again: it stays as it is. Tags and users may come and go. */
function validateUpdate({ spec }: Image, { spec: old }: Image): FieldError[] {
  const contents = ({ tags: _tags, users: _users, ...rest }: ImageSpec): unknown => rest;
  return deepEqual(contents(spec), contents(old))
    ? []
    : [
        forbiddenField(
          Path.of('spec'),
          'an image does not change, except for its tags and users: add another Image for a new tag',
        ),
      ];
}
