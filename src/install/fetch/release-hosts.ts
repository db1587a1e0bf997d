// Sites of releases answer with a redirect to where they keep files.
const storesOf: Readonly<Record<string, readonly string[]>> = {
  'github.com': [
    'codeload.github.com',
    'objects.githubusercontent.com',
    'release-assets.githubusercontent.com',
    'github-releases.githubusercontent.com',
  ],
  'marketplace.visualstudio.com': ['*.gallerycdn.vsassets.io', '*.gallery.vsassets.io'],
  'download.jetbrains.com': ['download-cdn.jetbrains.com'],
  'open-vsx.org': ['openvsx.eclipsecontent.org'],
  'services.gradle.org': ['github.com', 'release-assets.githubusercontent.com', 'objects.githubusercontent.com'],
};

/** Returns whether content of a release on `site` may come from `host`; both as in `URL.host`. */
export function isReleaseHost(site: string, host: string): boolean {
  if (site === host) return true;
  const stores = Object.hasOwn(storesOf, site) ? (storesOf[site] ?? []) : [];
  return stores.some((store) => (store.startsWith('*.') ? host.endsWith(store.slice(1)) : store === host));
}
