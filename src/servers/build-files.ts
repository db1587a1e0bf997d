/** Build files that a server loads after it receives their URIs. */
export interface BuildFiles {
  readonly extensions: readonly string[];
  /** Notification that opens the files. */
  readonly method: string;
  /** Parameter of the notification that holds the URIs. */
  readonly parameter: string;
  /** True if the parameter is a single URI: that of the file with the fewest parent directories. */
  readonly isOutermostOnly?: true;
}
