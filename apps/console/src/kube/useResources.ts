import { useEffect, useRef } from 'react';
import type { Failure } from '../api/failure.js';
import { useQuery, useSubscription } from '../api/graphql.js';
import { LIST_RESOURCES, TABLE_CHANGES, type TableChangesVariables } from './operations.generated.js';
import type { Resource } from './resource.js';

const NONE: readonly Resource[] = [];
/** A definition that is new is served a moment later. */
const SETTLE_MS = 300;

/** Every resource that the cluster serves; anew when a definition of custom ones comes or goes. */
export function useResources(
  clusterId: string,
  at: string,
): { readonly resources: readonly Resource[]; readonly failure: Failure | undefined } {
  const { data, failure, refetch } = useQuery(LIST_RESOURCES, { clusterId, ...(at ? { at } : {}) });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isFirst = useRef(true);
  useEffect(() => () => clearTimeout(timer.current), []);
  const definitions: TableChangesVariables = {
    clusterId,
    apiVersion: 'apiextensions.k8s.io/v1',
    resource: 'customresourcedefinitions',
  };
  useSubscription(
    TABLE_CHANGES,
    () => definitions,
    () => {
      if (!isFirst.current) {
        clearTimeout(timer.current);
        timer.current = setTimeout(refetch, SETTLE_MS);
      }
      isFirst.current = false;
    },
    { key: clusterId, skip: at !== '' },
  );
  return { resources: data?.resources ?? NONE, failure };
}
