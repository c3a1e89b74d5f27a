export const HTTPS_PORT = 443;

/** The host of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

export const portOf = (url: string): string | number => new URL(url).port || HTTPS_PORT;
