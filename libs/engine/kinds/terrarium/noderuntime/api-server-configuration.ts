/** What a kube-apiserver has read when it started, as far as it differs from kubeadm's. */
export interface ApiServerConfiguration {
  audit?: AuditConfiguration;
  /** How it writes to etcd, and how it did before. */
  encryption?: EncryptionEpoch[];
  /** False: requests without credentials are refused. */
  anonymous?: false;
  /** --authorization-mode, where it is not 'Node,RBAC'. */
  authorizationModes?: string[];
  /** Plug-ins that are on beyond those that are by default. */
  enabledPlugins?: string[];
  disabledPlugins?: string[];
  podSecurity?: PodSecurityConfiguration;
  imagePolicy?: ImagePolicyConfiguration;
}

/** Models audit.k8s.io/v1 Policy. */
export interface AuditPolicy {
  rules: AuditRule[];
  omitStages?: AuditStage[];
  omitManagedFields?: boolean;
}

export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

export interface AuditRule {
  level: AuditLevel;
  users?: string[];
  userGroups?: string[];
  verbs?: string[];
  resources?: { group?: string; resources?: string[]; resourceNames?: string[] }[];
  namespaces?: string[];
  nonResourceURLs?: string[];
  omitStages?: AuditStage[];
  omitManagedFields?: boolean;
}

/** A policy, and the file of the node that its events are written to. */
export interface AuditConfiguration {
  policy: AuditPolicy;
  node: string;
  /** Inode of the folder, and the name in it. */
  folder: string;
  file: string;
  /** Bytes of one file, old files, and their age in days; 0: no bound of age. */
  maxBytes: number;
  maxBackups: number;
  maxAgeDays: number;
}

/** Models pod-security.admission.config.k8s.io/v1 PodSecurityConfiguration. */
export interface PodSecurityConfiguration {
  /** As labels of a namespace: 'enforce', 'enforce-version'. */
  defaults: Record<string, string>;
  exemptions: { usernames: string[]; runtimeClasses: string[]; namespaces: string[] };
}

/** The plug-in ImagePolicyWebhook: where it asks, and what it does without an answer. */
export interface ImagePolicyConfiguration {
  server: string;
  defaultAllow: boolean;
}

export type EncryptionType = 'aescbc' | 'aesgcm' | 'secretbox' | 'identity';

export interface EncryptionProvider {
  type: EncryptionType;
  /** In their order; `digest`: of the secret. None of identity. */
  keys: { name: string; digest: string }[];
}

/** Resources ('secrets', 'deployments.apps', '*.apps', '*.', '*.*') with their providers: the first one writes. */
export interface EncryptedResources {
  resources: string[];
  providers: EncryptionProvider[];
}

/**
 * How the API server writes from a revision on. An object's own resourceVersion tells in which epoch it was written:
 * its value needs no field for it.
 */
export interface EncryptionEpoch {
  from: number;
  /** Empty: as without an EncryptionConfiguration. */
  resources: EncryptedResources[];
}
