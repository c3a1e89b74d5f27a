import type { Bytes } from '../kernel.js';
import { Unsure, type Scope } from './scope.js';
import type { Segment } from './segment.js';

/** What makes an unquoted value more than words. */
const ACTIVE = /[*?[\\()]/;

/** Makes the fields of one word, as Fields does. */
export class FieldMaker {
  /** The word is one field, whatever its values are. */
  private readonly isOne: boolean;

  constructor(private readonly segments: readonly Segment[]) {
    this.isOne =
      segments.every(({ isQuoted, isLiteral }) => isQuoted || isLiteral) && segments.some(({ isQuoted }) => isQuoted);
  }

  /** Throws Unsure. */
  addFields(scope: Scope, fields: Bytes[]): void {
    if (this.isOne) fields.push(this.join(scope));
    else this.split(scope, fields);
  }

  private join(scope: Scope): Bytes {
    let text = '';
    for (const segment of this.segments) {
      const value = segment.text(scope);
      scope.note(value.length);
      text += value;
    }
    return text;
  }

  private split(scope: Scope, fields: Bytes[]): void {
    let text = '';
    let isOpen = false;
    for (const segment of this.segments) {
      const value = segment.text(scope);
      scope.note(value.length);
      if (segment.isQuoted || segment.isLiteral) {
        isOpen ||= segment.isQuoted || value !== '';
        text += value;
        continue;
      }
      if (ACTIVE.test(value)) throw new Unsure();
      for (const [i, part] of value.split(/[ \t\n]+/).entries()) {
        if (i > 0 && isOpen) {
          fields.push(text);
          text = '';
          isOpen = false;
        }
        isOpen ||= part !== '';
        text += part;
      }
    }
    if (isOpen) fields.push(text);
  }
}
