/**
 * Warnings of a pod, or of a template of pods, that is valid and most likely a mistake. Models
 * pkg/api/pod/warnings.go. Left out: IP formats.
 */
import type { Affinity, Container, PodSpec, PodTemplateSpec, Volume } from '../../../../api/core_v1.js';
import type { ObjectMeta } from '../../../../api/meta_v1.js';
import { Path } from '../../../../machinery/meta/field.js';
import { canonicalQuantity, milliValue } from '../../../../machinery/quantity/quantity.js';
import { isDNS1123Label } from '../../../../machinery/meta/validation.js';
import { nodeLabelDeprecatedMessage, warningsForNodeSelectorTerm } from '../../node-labels.js';
import { warningsForOverlappingVirtualPaths } from './container/overlapping-paths.js';
import { visitContainersWithPath } from '../visit-containers.js';

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const USE_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const DEPRECATED_ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};
const DEPRECATED_VOLUMES: Partial<Record<keyof Volume, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};
const NO_SELECTOR = 'a null labelSelector results in matching no pod';
const SURPRISING = 'which can result in surprising behavior; a DNS label is recommended';

interface Owner {
  readonly metadata: ObjectMeta;
}

/** Warnings of a new pod. Updates of pods warn of nothing. */
export const podWarnings = (pod: Owner & { readonly spec: PodSpec }, old?: Owner): string[] =>
  old
    ? []
    : [
        ...nameWarnings(pod, "this is used in the Pod's hostname"),
        ...warningsForPodSpecAndMeta(Path.of(), pod.metadata, pod.spec),
      ];

/** Warnings of the template of a new object, or of one whose generation changes, as upstream: scaling warns again. */
export function templateWarnings(
  path: Path,
  template: PodTemplateSpec | undefined,
  { metadata }: Owner,
  old: Owner | undefined,
): string[] {
  const changed = metadata.generation === undefined || metadata.generation !== old?.metadata.generation;
  return template && changed ? warningsForPodSpecAndMeta(path, template.metadata, template.spec, true) : [];
}

/** Warns of a new object whose pods' names would be no DNS labels. */
export const podNameWarnings = (object: Owner, old: Owner | undefined): string[] =>
  old ? [] : nameWarnings(object, 'this is used in Pod names and hostnames');

function nameWarnings({ metadata: { name = '' } }: Owner, use: string): string[] {
  const faults = isDNS1123Label(name);
  return faults.length > 0 ? [`metadata.name: ${use}, ${SURPRISING}: [${faults.join(' ')}]`] : [];
}

function warningsForPodSpecAndMeta(
  path: Path,
  metadata: ObjectMeta | undefined,
  spec: PodSpec = { containers: [] },
  template = false,
): string[] {
  const out: string[] = [];
  const { annotations = {} } = metadata ?? {};
  const at = path.child('spec');
  const annotation = (key: string): Path => path.child('metadata', 'annotations').key(key);
  const warn = (where: Path, text: string): void => void out.push(`${where}: ${text}`);

  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const old = nodeLabelDeprecatedMessage(key);
    if (old) warn(at.child('nodeSelector').key(key), old);
  }
  out.push(...nodeAffinityWarnings(spec.affinity, at.child('affinity', 'nodeAffinity')));
  spec.topologySpreadConstraints?.forEach((c, i) => {
    const here = at.child('topologySpreadConstraints').index(i);
    const old = nodeLabelDeprecatedMessage(c.topologyKey);
    if (old) warn(here.child('topologyKey'), `${c.topologyKey} is ${old}`);
    if (!c.labelSelector) warn(here.child('labelSelector'), NO_SELECTOR);
  });
  for (const [key, text] of Object.entries(DEPRECATED_ANNOTATIONS)) if (key in annotations) warn(annotation(key), text);
  spec.volumes?.forEach((volume, i) => {
    for (const [source, text] of Object.entries(DEPRECATED_VOLUMES))
      if (volume[source as keyof Volume])
        warn(
          at
            .child('volumes')
            .index(i)
            .child(source === 'storageos' ? 'storageOS' : source),
          text,
        );
  });
  out.push(...warningsForOverlappingVirtualPaths(spec.volumes ?? []));
  visitDuplicates(spec.hostAliases, 'ip', (i, ip) =>
    warn(at.child('hostAliases').index(i).child('ip'), `duplicate ip "${ip}"`),
  );
  visitDuplicates(spec.imagePullSecrets, 'name', (i, name) =>
    warn(at.child('imagePullSecrets').index(i).child('name'), `duplicate name "${name}"`),
  );
  spec.imagePullSecrets?.forEach(
    (s, i) => s.name || warn(at.child('imagePullSecrets').index(i).child('name'), 'invalid empty name ""'),
  );
  warnFractionalBytes(spec.overhead, at.child('overhead'), warn);
  if (SECCOMP_POD in annotations && !spec.securityContext?.seccompProfile) warn(annotation(SECCOMP_POD), USE_SECCOMP);
  visitContainersWithPath(spec, at, (container, here) => {
    const { name, securityContext, resources } = container;
    if (SECCOMP_CONTAINER + name in annotations && !securityContext?.seccompProfile)
      warn(annotation(SECCOMP_CONTAINER + name), USE_SECCOMP);
    const apparmor = APPARMOR + name;
    if (
      template &&
      apparmor in annotations &&
      !securityContext?.appArmorProfile &&
      !spec.securityContext?.appArmorProfile
    ) {
      warn(annotation(apparmor), 'deprecated since v1.30; use the "appArmorProfile" field instead');
    }
    for (const resource of ['memory', 'ephemeral-storage']) {
      for (const part of ['limits', 'requests'] as const)
        warnFractionalBytes({ [resource]: resources?.[part]?.[resource] }, here.child('resources', part), warn);
    }
    warnHiddenVariables(container, here, warn);
  });
  warnPorts(spec, at, warn);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0)
    warn(
      at.child('terminationGracePeriodSeconds'),
      'must be >= 0; negative values are invalid and will be treated as 1',
    );
  warnPodAffinity(spec.affinity, at.child('affinity'), warn);
  return out;
}

type Warn = (where: Path, text: string) => void;

function nodeAffinityWarnings(affinity: Affinity | undefined, at: Path): string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity?.nodeAffinity ?? {};
  const terms = at.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  return [
    ...(required?.nodeSelectorTerms ?? []).flatMap((term, i) =>
      warningsForNodeSelectorTerm(term, false, terms.index(i)),
    ),
    ...(preferred ?? []).flatMap(({ preference }, i) =>
      preference
        ? warningsForNodeSelectorTerm(
            preference,
            true,
            at.child('preferredDuringSchedulingIgnoredDuringExecution').index(i).child('preference'),
          )
        : [],
    ),
  ];
}

function warnPodAffinity(affinity: Affinity | undefined, at: Path, warn: Warn): void {
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    const {
      requiredDuringSchedulingIgnoredDuringExecution: required,
      preferredDuringSchedulingIgnoredDuringExecution: preferred,
    } = affinity?.[field] ?? {};
    required?.forEach(
      (t, i) =>
        t.labelSelector ??
        warn(
          at.child(field, 'requiredDuringSchedulingIgnoredDuringExecution').index(i).child('labelSelector'),
          NO_SELECTOR,
        ),
    );
    preferred?.forEach(
      (t, i) =>
        t.podAffinityTerm?.labelSelector ??
        warn(
          at
            .child(field, 'preferredDuringSchedulingIgnoredDuringExecution')
            .index(i)
            .child('podAffinityTerm', 'labelSelector'),
          NO_SELECTOR,
        ),
    );
  }
}

function visitDuplicates<T, K extends keyof T>(
  items: readonly T[] | undefined,
  key: K,
  tell: (i: number, value: T[K]) => void,
): void {
  const seen = new Set<T[K]>();
  items?.forEach((item, i) => (seen.has(item[key]) ? tell(i, item[key]) : seen.add(item[key])));
}

/** Warns of amounts of bytes that are no whole numbers. */
function warnFractionalBytes(
  quantities: Readonly<Record<string, string | undefined>> | undefined,
  at: Path,
  warn: Warn,
): void {
  for (const name of ['memory', 'ephemeral-storage']) {
    const value = quantities?.[name];
    if (value !== undefined && milliValue(value) % 1000 !== 0)
      warn(at.key(name), `fractional byte value "${canonicalQuantity(value)}" is invalid, must be an integer`);
  }
}

/** Warns of a variable that is set again and does not refer to its first value. */
function warnHiddenVariables({ env = [] }: Container, at: Path, warn: Warn): void {
  const seen = new Set<string>();
  env.forEach(({ name, value = '', valueFrom }, i) => {
    const reference = `$(${name})`;
    const hides = valueFrom !== undefined || value === reference || !value.includes(reference);
    if (seen.has(name) && hides)
      warn(at.child('env').index(i), `hides previous definition of "${name}", which may be dropped when using apply`);
    seen.add(name);
  });
}

function warnPorts(spec: PodSpec, at: Path, warn: Warn): void {
  const numbers = new Map<string, { at: Path; hostIP: string; hostPort: number }[]>();
  visitContainersWithPath(spec, at, (container, here) =>
    container.ports?.forEach((port, i) => {
      const { hostIP = '', hostPort = 0, containerPort, protocol = 'TCP' } = port;
      const mine = { at: here.child('ports').index(i), hostIP, hostPort };
      const others = numbers.get(`${containerPort}/${protocol}`) ?? [];
      for (const other of others) {
        if (hostIP === other.hostIP && hostPort === other.hostPort)
          warn(mine.at, `duplicate port definition with ${other.at}`);
        else if (hostPort === 0 || other.hostPort === 0) warn(mine.at, `overlapping port definition with ${other.at}`);
        else if (hostPort === other.hostPort && (hostIP === '') !== (other.hostIP === ''))
          warn(mine.at, `dangerously ambiguous port definition with ${other.at}`);
      }
      numbers.set(`${containerPort}/${protocol}`, [...others, mine]);
    }),
  );
  const names = new Map<string, Path>();
  visitContainersWithPath(spec, at, (container, here) =>
    container.ports?.forEach(({ name }, i) => {
      const first = name ? names.get(name) : undefined;
      if (first)
        warn(
          here.child('ports').index(i),
          `duplicate port name "${name}" with ${first}, services and probes that select ports by name will use ${first}`,
        );
      else if (name) names.set(name, here.child('ports').index(i));
    }),
  );
}
