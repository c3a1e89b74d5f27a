/** A text that is no template. */
export class TemplateSyntaxFailure extends Error {}

/** A failure while a template runs: the output before it stands. */
export class TemplateRunFailure extends Error {
  constructor(
    message: string,
    readonly output: string,
  ) {
    super(message);
  }
}

/** Why a function failed; who has called it tells where. */
export class CallFailure extends Error {}

/** A function was given too few or too many arguments. */
export class WrongCount extends Error {}

/** An argument is of a type that the function does not take; it is the argument that is at fault. */
export class ArgumentFailure extends Error {
  constructor(
    readonly index: number,
    message: string,
    /** Go's name of the type. */
    readonly wanted: string,
  ) {
    super(message);
  }
}
