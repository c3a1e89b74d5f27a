/** Ends kubectl with `error: MESSAGE`. */
export class KubectlFailure extends Error {
  constructor(
    message: string,
    readonly code = 1,
  ) {
    super(message);
  }
}

/** The message is printed as it is. */
export class PlainFailure extends KubectlFailure {}

/** A wrong command line. `path`: the command whose help tells more; `flag`: how the hint asks for it. */
export class UsageFailure extends KubectlFailure {
  constructor(message: string, path: string, hint: 'examples' | 'usage' = 'examples') {
    super(
      hint === 'usage'
        ? `${message}\nSee '${path} --help' for usage.`
        : `${message}\nSee '${path} -h' for help and examples`,
    );
  }
}

/** metav1.Status as far as kubectl prints it. */
export interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly kind?: string;
    readonly causes?: readonly { readonly field?: string; readonly message?: string }[];
  };
}

/** The API server refused. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly body: StatusBody,
  ) {
    super(body.message ?? 'unknown');
  }

  get reason(): string {
    return this.body.reason ?? '';
  }

  /** The same refusal with words before it. */
  with(prefix: string): ApiFailure {
    return new ApiFailure(this.status, { ...this.body, message: prefix + this.message });
  }
}

/** Models k8s.io/kubectl/pkg/cmd/util checkErr: what stands on standard error, without the line's end. */
export function explain(error: ApiFailure): string {
  const { reason, body } = error;
  if (reason === 'Invalid') return explainInvalid(body);
  if (reason === 'Unauthorized') return 'error: You must be logged in to the server (Unauthorized)';
  return `Error from server${reason === '' ? '' : ` (${reason})`}: ${error.message}`;
}

function explainInvalid({ message = '', details = {} }: StatusBody): string {
  const { kind = '', name = '', causes = [] } = details;
  const who = kind !== '' || name !== '' ? `The ${kind} "${name}" is invalid` : 'The request is invalid';
  if (causes.length === 0) return kind === '' && name === '' ? `${who}: ${message}` : who;
  const lines = [...new Set(causes.map((cause) => `${cause.field ? `${cause.field}: ` : ''}${cause.message ?? ''}`))];
  return lines.length === 1 ? `${who}: ${lines[0]}` : `${who}: \n${lines.map((line) => `* ${line}`).join('\n')}`;
}
