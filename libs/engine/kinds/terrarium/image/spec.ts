/** An image that a cluster's author adds to those that its nodes can pull. */
export interface ImageSpec {
  /** Without a tag, as containerd writes it: 'ghcr.io/acme/shop', 'docker.io/library/shop'. */
  repository?: string;
  /** By default every tag exists. */
  tags?: string[];
  /** The repository is private to these; by default everybody may pull. */
  users?: ImageUser[];
  /** What lies below the image's own files. By default debian. */
  base?: ImageBase;
  files?: ImageFile[];
  env?: { name: string; value?: string }[];
  /** 'USER', 'UID', 'USER:GROUP' or 'UID:GID'. */
  user?: string;
  workingDir?: string;
  /** A script that the container starts with. */
  entrypoint?: string;
  /** Ports that it listens on. */
  ports?: ImagePort[];
  /** How long it takes until it listens: '1.5s', '2m'. */
  startup?: string;
  /** An end of its own. */
  exit?: { after?: string; code?: number };
  /** Bytes that it holds from its start, as a quantity. */
  memory?: string;
  /** Bytes that it takes more in each second, as a quantity, until it is OOMKilled. */
  leak?: string;
  /** What each request costs. */
  load?: ImageLoad;
}

/** Somebody who can log in to the repository's registry. */
export interface ImageUser {
  name: string;
  password: string;
}

export const IMAGE_BASES = ['scratch', 'distroless', 'busybox', 'alpine', 'debian', 'ubuntu'] as const;
export type ImageBase = (typeof IMAGE_BASES)[number];

export interface ImageFile {
  path: string;
  content?: string;
  /** Permissions: 0644 by default. */
  mode?: number;
}

export interface ImagePort {
  port: number;
  /** The first that fits answers; without any, every request gets an empty 200. */
  answers?: ImageAnswer[];
}

export interface ImageAnswer {
  /** '/cart', or '/cart/*' for all that begins so. By default every path. */
  path?: string;
  /** By default every method. */
  method?: string;
  /** By default 200. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delay?: string;
}

export interface ImageLoad {
  /** CPU time: '20ms'. */
  cpu?: string;
  /** Bytes that a request holds until it is answered, as a quantity. */
  memory?: string;
}

/** Whether it says more than that the image exists, and who may pull it. */
export const hasContents = ({ repository: _repository, tags: _tags, users: _users, ...contents }: ImageSpec): boolean =>
  Object.keys(contents).length > 0;
