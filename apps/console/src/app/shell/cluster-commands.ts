import { useEffect, useState } from 'react';
import { useQuery } from '../../api/graphql.js';
import { findNames, readNames, soughtKinds, type Found } from '../../kube/search/find-objects.js';
import { LIST_RESOURCES } from '../../kube/operations.generated.js';
import { resourceName } from '../../kube/resource.js';
import { t } from '../../texts/texts.js';
import { navigate, useClusterHref, useMoment, useNamespaces } from '../routing/router.js';
import type { Command } from './commands.js';

const MAX_OBJECTS = 30;
const MAX_NAMESPACES = 3;
/** Of the words that are typed; with fewer there would be everything. */
const LEAST = 2;

/** The kinds and the objects of a cluster, found by what is typed; '' is no cluster. */
export function useObjectCommands(clusterId: string, text: string): Command[] {
  const [at] = useMoment();
  const [, setNamespaces] = useNamespaces();
  const href = useClusterHref(clusterId);
  const isOf = clusterId !== '';
  const { data } = useQuery(LIST_RESOURCES, { clusterId, ...(at ? { at } : {}) }, { skip: !isOf });
  const resources = data?.resources;
  const [names, setNames] = useState<readonly Found[]>([]);
  useEffect(() => {
    if (!resources) return;
    const stop = new AbortController();
    // Who closes the palette sooner needs no answer.
    readNames({ clusterId, ...(at ? { at } : {}) }, soughtKinds(resources), stop.signal).then(
      setNames,
      () => undefined,
    );
    return () => stop.abort();
  }, [clusterId, at, resources]);
  if (text.trim().length < LEAST) return [];
  const kinds = (resources ?? []).filter(({ preferred, verbs }) => preferred && verbs.includes('list'));
  return [
    ...kinds.map((kind) => ({
      id: `kind:${resourceName(kind)}`,
      title: kind.kind,
      group: t.palette.kinds,
      icon: 'objects' as const,
      words: [kind.resource, ...kind.shortNames],
      run: () => navigate(href('objects', resourceName(kind))),
    })),
    ...findNames(
      names.filter(({ kind }) => kind === 'Namespace'),
      text,
      MAX_NAMESPACES,
    ).map(({ name }) => ({
      id: `only:${name}`,
      title: t.palette.only(name),
      group: t.palette.actions,
      words: [text],
      run: () => setNamespaces([name]),
    })),
    ...findNames(names, text, MAX_OBJECTS).map(({ kind, resource, namespace, name }) => ({
      id: `object:${resource}/${namespace}/${name}`,
      title: `${kind} ${namespace ? `${namespace}/` : ''}${name}`,
      group: t.palette.objects,
      // Found already: all that is typed is among its words.
      words: [text],
      run: () => navigate(href('objects', resource, namespace || '-', name)),
    })),
  ];
}
