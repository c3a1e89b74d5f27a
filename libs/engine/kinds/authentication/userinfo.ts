import type { UserInfo } from '../../api/authentication_v1.js';
import type { User } from '../../machinery/client.js';

export const userInfo = (user: User): UserInfo => ({
  username: user.name,
  ...(user.uid ? { uid: user.uid } : {}),
  groups: [...user.groups],
  ...(user.extra
    ? { extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])) }
    : {}),
});
