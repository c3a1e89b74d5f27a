/** A container whose log is read; without a name all containers of the pod. */
export interface Source {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** As they stand in a link: "ns/pod", "ns/pod/container", with commas between. */
export const parseSources = (text: string): Source[] =>
  text.split(',').flatMap((one) => {
    const [namespace, pod, container = ''] = one.split('/');
    return namespace && pod ? [{ namespace, pod, container }] : [];
  });

export const sourceText = ({ namespace, pod, container }: Source): string =>
  [namespace, pod, container].filter(Boolean).join('/');

export const sourcesText = (sources: readonly Source[]): string => sources.map(sourceText).join(',');

interface PodLike {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: {
    readonly initContainers?: readonly { readonly name: string }[];
    readonly containers?: readonly { readonly name: string }[];
  };
}

/** Every container of a pod; those that run before the others first. */
export const containersOf = ({ metadata, spec }: PodLike): Source[] =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(({ name }) => ({
    namespace: metadata.namespace ?? '',
    pod: metadata.name,
    container: name,
  }));
