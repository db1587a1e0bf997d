// Release sites redirect to these hosts for their files.
const fileHosts: Readonly<Record<string, readonly string[]>> = {
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

/** True if files of a release on `site` may come from `host`; both as in `URL.host`. */
export function isReleaseHost(site: string, host: string): boolean {
  if (site === host) return true;
  const allowed = Object.hasOwn(fileHosts, site) ? (fileHosts[site] ?? []) : [];
  return allowed.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : pattern === host));
}
