import type { KubeObject } from '@terrarium/engine';
import { FACTS, type Facts } from './facts.js';

/** One object as a picture needs it. What does not hold, or is not there, is left out. */
export interface PictureRow {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  /** Of the change that is told. */
  readonly revision: number;
  /** Virtual ms since the epoch. */
  readonly created: number;
  /** Its controller, or its only owner. */
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid: string };
  /** Place of its labels in the batch's list. */
  readonly labels?: number;
  /** It is being deleted. */
  readonly ending?: true;
  /** It is deleted. */
  readonly gone?: true;
  /** Who changed it since it was told before, each once; the last one made `revision`. */
  readonly by?: readonly string[];
  /** The revision that the last change answers to. */
  readonly cause?: number;
  /** By kind: docs/PICTURE.md has them. */
  readonly is: Facts;
}

/** Labels of many objects, each written once. */
export class LabelList {
  readonly list: Readonly<Record<string, string>>[] = [];
  private readonly places = new Map<string, number>();

  placeOf(labels: Readonly<Record<string, string>> | undefined): number | undefined {
    if (!labels) return undefined;
    const key = JSON.stringify(labels);
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.list.push(labels) - 1;
      this.places.set(key, place);
    }
    return place;
  }
}

export const isPictured = (resource: string): boolean => FACTS.has(resource);

/** Undefined for a resource that no picture shows. */
export function pictureRow(
  { resource, object }: { readonly resource: string; readonly object: KubeObject },
  labels: LabelList,
  told: Pick<PictureRow, 'revision' | 'by' | 'cause' | 'gone'>,
): PictureRow | undefined {
  const facts = FACTS.get(resource);
  if (!facts) return undefined;
  const { name = '', namespace, uid = '', creationTimestamp, deletionTimestamp, ownerReferences } = object.metadata;
  const owner = ownerReferences?.find((o) => o.controller) ?? ownerReferences?.[0];
  const place = labels.placeOf(object.metadata.labels);
  return {
    kind: object.kind,
    ...(namespace ? { namespace } : {}),
    name,
    uid,
    created: Date.parse(creationTimestamp ?? '') || 0,
    ...(owner ? { owner: { kind: owner.kind, name: owner.name, uid: owner.uid } } : {}),
    ...(place === undefined ? {} : { labels: place }),
    ...(deletionTimestamp ? { ending: true as const } : {}),
    ...told,
    is: told.gone ? {} : facts(object),
  };
}
