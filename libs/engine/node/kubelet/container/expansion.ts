const REFERENCE = /\$\$|\$\(([^()]+)\)/g;

/** $(NAME) becomes the variable's value, $$(NAME) stays. Models third_party/forked/golang/expansion. */
export const expand = (text: string, valueOf: (name: string) => string | undefined): string =>
  text.includes('$')
    ? text.replace(REFERENCE, (all, name: string | undefined) => (name === undefined ? '$' : (valueOf(name) ?? all)))
    : text;
