import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../api/failure.js';
import { useQuery, useSubscription } from '../api/graphql.js';
import { LIST_RESOURCES, TABLE_CHANGES, type TableChangesVariables } from './operations.generated.js';
import { isServed, type Resource } from './resource.js';

const NONE: readonly Resource[] = [];
const NO_NAMES: readonly string[] = [];
/** A definition that is new is served a moment later: it is looked for this long after, then twice as long, … */
const SETTLE_MS = 300;
/** Looks for definitions that are not served: 300 ms to 10 s. Some never are. */
const MAX_LOOKS = 6;

/** Every resource that the cluster serves; anew when a definition of custom ones comes or goes. */
export function useResources(
  clusterId: string,
  at: string,
): { readonly resources: readonly Resource[]; readonly failure: Failure | undefined } {
  const { data, failure, refetch } = useQuery(LIST_RESOURCES, { clusterId, ...(at ? { at } : {}) });
  const resources = data?.resources ?? NONE;
  /** The definitions of the last batch: `<plural>.<group>`. The first one has all. */
  const [batch, setBatch] = useState({ names: NO_NAMES, isFirst: true });
  const looks = useRef(0);
  const definitions: TableChangesVariables = {
    clusterId,
    apiVersion: 'apiextensions.k8s.io/v1',
    resource: 'customresourcedefinitions',
  };
  useSubscription(
    TABLE_CHANGES,
    () => definitions,
    ({ tableChanges: { rows, reset } }) => {
      looks.current = 0;
      setBatch({ names: rows.map(({ name }) => name), isFirst: reset });
    },
    { key: clusterId, skip: at !== '' },
  );
  useEffect(() => {
    // The resources were asked for before the definitions, or beside them.
    const isBehind = batch.names.some((name) => !isServed(resources, name));
    const isNews = !batch.isFirst && looks.current === 0;
    if (data === undefined || !(isBehind || isNews) || looks.current >= MAX_LOOKS) return;
    const timer = setTimeout(
      () => {
        looks.current++;
        refetch();
      },
      SETTLE_MS * 2 ** looks.current,
    );
    return () => clearTimeout(timer);
    // Each answer and each batch is looked at once.
  }, [data, batch]);
  return { resources, failure };
}
