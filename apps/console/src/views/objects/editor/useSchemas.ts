import { useCallback, useEffect, useRef, useState } from 'react';
import { read } from '../../../kube/client.js';
import { openApiPath, Schemas, type OpenApi } from './schema.js';

const API_VERSION = /^(?:[a-z0-9][a-z0-9.-]*\/)?v[a-z0-9]+$/;

export type SchemasOf = (apiVersion: string) => Schemas | undefined;

/**
 * The cluster's own schemas, read when they are first asked for. `turn` changes when one has come. A version that the
 * cluster does not serve has none.
 */
export function useSchemas(clusterId: string): { readonly schemasOf: SchemasOf; readonly turn: number } {
  const [turn, setTurn] = useState(0);
  const known = useRef(new Map<string, Schemas | undefined>());
  const stop = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    known.current.clear();
    return () => controller.abort();
  }, [clusterId]);
  const schemasOf = useCallback(
    (apiVersion: string): Schemas | undefined => {
      const { current } = known;
      if (!current.has(apiVersion) && API_VERSION.test(apiVersion)) {
        current.set(apiVersion, undefined);
        read<OpenApi>({ clusterId }, openApiPath(apiVersion), stop.current?.signal).then(
          (document) => {
            current.set(apiVersion, new Schemas(document));
            setTurn((last) => last + 1);
          },
          // Not served: nothing is completed, and the server judges.
          () => undefined,
        );
      }
      return current.get(apiVersion);
    },
    [clusterId],
  );
  return { schemasOf, turn };
}
