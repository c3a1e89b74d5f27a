import { useEffect, useRef, useState } from 'react';
import { toFailure, type Failure } from '../../../api/failure.js';
import { follow } from '../../../api/graphql.js';
import { read } from '../../../kube/client.js';
import type { KubeObject } from '../../../kube/object.js';
import { TABLE_CHANGES, type TableChanges } from '../../../kube/operations.generated.js';
import { pathOf, type Resource } from '../../../kube/resource.js';

export interface LiveObject {
  readonly object: KubeObject | undefined;
  readonly failure: Failure | undefined;
  /** It was there, and is no more. */
  readonly isGone: boolean;
}

/** Real ms between two readings of an object that keeps changing. */
const INTERVAL_MS = 250;
const NOT_FOUND = 404;

const NOTHING = '';
const versionOf = (uid: string | undefined, version: string | undefined): string => `${uid} ${version}`;

/**
 * One object, live or of a moment. A Table of this one row tells when it changes, and the object is read then: a
 * subscription to changes would send all others of its kind.
 */
export function useObject(
  { clusterId, at }: { readonly clusterId: string; readonly at: string },
  resource: Resource,
  namespace: string,
  name: string,
): LiveObject {
  const [live, setLive] = useState<LiveObject>({ object: undefined, failure: undefined, isGone: false });
  const wasThere = useRef(false);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    /** Of the object as it was read last, and as its row was told last. */
    let shown: string | undefined;
    let told: string | undefined;
    const readNow = (): void => {
      timer = undefined;
      isReading = true;
      told = undefined;
      read({ clusterId, ...(at ? { at } : {}) }, pathOf(resource, namespace, name), stop.signal)
        .then(
          (object) => {
            wasThere.current = true;
            shown = versionOf(object.metadata.uid, object.metadata.resourceVersion);
            setLive({ object, failure: undefined, isGone: false });
          },
          (error: unknown) => {
            if (stop.signal.aborted) return;
            shown = NOTHING;
            const failure = toFailure(error);
            const isGone = failure.status === NOT_FOUND && wasThere.current;
            setLive((last) => ({ object: last.object, failure: isGone ? undefined : failure, isGone }));
          },
        )
        .finally(() => {
          isReading = false;
          if (told !== undefined && told !== shown && !stop.signal.aborted) timer ??= setTimeout(readNow, INTERVAL_MS);
        });
    };
    const follows = ({ tableChanges: { rows } }: TableChanges): void => {
      const [row] = rows;
      told = row ? versionOf(row.uid, row.version) : NOTHING;
      if (!isReading && told !== shown) timer ??= setTimeout(readNow, 0);
    };
    const leave =
      at === '' && resource.verbs.includes('watch')
        ? follow(
            TABLE_CHANGES,
            () => ({
              clusterId,
              apiVersion: resource.apiVersion,
              resource: resource.resource,
              ...(resource.namespaced ? { namespace } : {}),
              fieldSelector: `metadata.name=${name}`,
            }),
            { next: follows, error: (failure) => setLive((last) => ({ ...last, failure })) },
          )
        : () => undefined;
    // At once: what changes until the subscription begins has another version in its first event.
    readNow();
    return () => {
      stop.abort();
      clearTimeout(timer);
      leave();
    };
  }, [clusterId, at, resource, namespace, name]);
  return live;
}
