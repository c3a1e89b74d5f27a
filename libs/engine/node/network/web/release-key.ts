/**
 * The OpenPGP key that signs the packages of pkgs.k8s.io, as the documentation has it fetched and dearmored. It is one
 * of this simulation, whose private half nobody has: of the same owner and date as the real one.
 */
export const RELEASE_KEY = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mQENBGMGu4ABCAC6zUgycFfxOGjiBiSaxRvjEUJzf8Sm7OHsjHTgNKk/XRh8vq/a
R7lTx8NKQPXmV+BtzwWdkX8Rhoh/TQSKs+0xbOxRMkg46+kqtPP5Xg9cwsnA6V3i
8Nk3CWhYxE9jlAxqqAunOzy/OjrdejmVDo8qxQqJtVH40wKlatYjs+ZvE1lbLPuK
FcROof9nCGV2YZ0u0djLgc1Tbpx/fcE2iLMWPyHELvla8/tufP9NmPL4r7V+684v
d6GUZxTg/3ca6Z6CmUYcctXMOkY4o8pWSsvlnaZwnlrTeAkliTMkJ1jhu4WM1cNI
WKfQIL37cHFxpkr3p/xIANcFmVuusUNMgcQfABEBAAG0PmlzdjprdWJlcm5ldGVz
IE9CUyBQcm9qZWN0IDxpc3Y6a3ViZXJuZXRlc0BidWlsZC5vcGVuc3VzZS5vcmc+
iQFOBBMBCgA4FiEEUoE+7V3fCWUdUwGXoozFNwkhBd0FAmMGu4ACGy8FCwkIBwIG
FQoJCAsCBBYCAwECHgECF4AACgkQoozFNwkhBd2JIgf9GRB+beWqscjqeNF4WbFA
Xlg98rFUE6B+sMyRkJLuHJpgJ/X7hjuwTVZ6k/xAkmBxyvIOv9CIVf124I+34KEW
j475W+bdCqmSZEUvDjx6X3Gw3/UJcrEmOMi3JTc33BYETBAVK7FW0LZpT6StSbIq
k1peP9C/+H1IzEe/3K6ihvawiXOlE2IOu1jaJdtKt+JlSdw48dLe28bp+r5ea6Y8
k99U+6zG+UzBCYKRI6Qm7DbyS7AMVOmFC6jMkROHrV+Y2fhMYHGwAw/ilCiIDBHH
aJyG/OlpbDpvgmxQYzr0CBL5M8LSxuqq9YXJTqe7NAEkxXdlsc37JVSLgmzKmZcL
Rw==
=XhbK
-----END PGP PUBLIC KEY BLOCK-----
`;
