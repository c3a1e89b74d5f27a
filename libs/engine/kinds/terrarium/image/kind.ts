import type { KubeObject } from '../../../machinery/meta/object.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, column, nameColumn } from '../../columns.js';
import { unknownFields } from '../unknown-fields.js';

/** An image that a cluster's author adds to those that its nodes can pull: it runs as some server. */
export interface Image extends KubeObject {
  spec: ImageSpec;
  status: Record<string, unknown>;
}
export interface ImageSpec {
  /** Without a tag, as containerd writes it: 'ghcr.io/acme/shop', 'docker.io/library/shop'. */
  repository?: string;
  /** By default every tag exists. */
  tags?: string[];
}

/** As long as github.com/distribution/reference lets a name be. */
const MAX_REPOSITORY = 255;
const FIELDS = ['repository', 'tags'];

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
  validate,
});

function validate({ spec }: Image): FieldError[] {
  const path = Path.of('spec');
  return [
    ...validateRepository(spec.repository, path.child('repository')),
    ...validateTags(spec.tags, path.child('tags')),
    ...unknownFields(spec, FIELDS, path),
  ];
}

function validateRepository(repository: unknown, path: Path): FieldError[] {
  if (repository === undefined || repository === '') return [required(path)];
  const isName =
    typeof repository === 'string' &&
    repository.length <= MAX_REPOSITORY &&
    /^[^\s/:@]+(?::\d+)?\/[^\s:@]+$/.test(repository);
  return isName
    ? []
    : [invalidValue(path, repository, "must be a host and a path without a tag, such as 'ghcr.io/acme/shop'")];
}

function validateTags(tags: unknown, path: Path): FieldError[] {
  const isList =
    tags === undefined || (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag !== ''));
  return isList ? [] : [invalidValue(path, tags, 'must be a list of tags')];
}
