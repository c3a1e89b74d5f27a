import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { useQuery } from '../../api/graphql.js';
import { askPast } from '../../api/moment.js';
import { ASK_WHY, type AskWhyVariables, type Why } from './why.generated.js';

export type { Why };

/** An object, its resource as kubectl takes it. */
export interface WhySpec {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface WhyAnswer {
  readonly why: Why | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  /** Of the present. */
  refetch(): void;
}

/**
 * Why an object is as it is, or was at a moment. `turn` is no part of the question: another one says that the answer
 * may be another one. Nothing is asked of no object.
 */
export function useWhy(
  { clusterId, at }: { readonly clusterId: string; readonly at: string },
  asked: WhySpec | undefined,
  turn = '',
): WhyAnswer {
  const spec = asked && { resource: asked.resource, name: asked.name, ...named(asked.namespace) };
  const variables: AskWhyVariables & { readonly turn: string } = { clusterId, spec, turn };
  const { data, failure, isLoading, refetch } = useQuery(ASK_WHY, variables, { skip: !spec || at !== '' });
  const past = usePastWhy(clusterId, at, spec);
  if (at === '') return { why: data?.why, failure, isLoading, refetch };
  const isAsking = spec !== undefined && past.key !== past.asked;
  return { why: isAsking ? undefined : past.why, failure: past.failure, isLoading: isAsking, refetch };
}

const named = (namespace: string): { readonly namespace?: string } => (namespace ? { namespace } : {});

function usePastWhy(clusterId: string, at: string, spec: object | undefined) {
  const asked = JSON.stringify([clusterId, at, spec]);
  const [answer, setAnswer] = useState<{ key?: string; why?: Why; failure?: Failure }>({});
  useEffect(() => {
    if (at === '' || !spec) return;
    let isLeft = false;
    askPast<Why>({ clusterId, at }, { kind: 'Why', plural: 'whys', spec }).then(
      (why) => isLeft || setAnswer({ key: asked, why }),
      (error: unknown) => isLeft || setAnswer({ key: asked, failure: toFailure(error) }),
    );
    return () => void (isLeft = true);
    // It has all of the question.
  }, [asked]);
  return { ...answer, asked };
}
