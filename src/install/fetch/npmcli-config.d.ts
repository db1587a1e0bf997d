// `@npmcli/config` has no types. These cover what `npm-config.ts` uses.

declare module '@npmcli/config' {
  interface ConfigOptions {
    readonly definitions: object;
    readonly shorthands: object;
    readonly flatten: object;
    readonly nerfDarts: readonly string[];
    readonly npmPath: string;
    readonly cwd: string;
    readonly argv: readonly string[];
    readonly env: Record<string, string | undefined>;
    readonly execPath: string;
    readonly warn: boolean;
  }

  class Config {
    constructor(options: ConfigOptions);
    load(): Promise<void>;
    /** The layer that decides `key`, such as `default`, `user` or `env`. */
    find(key: string): string | null;
    /** The options that npm's libraries take. */
    readonly flat: Readonly<Record<string, unknown>>;
  }

  export = Config;
}

declare module '@npmcli/config/lib/definitions/index.js' {
  const definitions: {
    readonly definitions: object;
    readonly shorthands: object;
    readonly flatten: object;
    readonly nerfDarts: readonly string[];
  };
  export = definitions;
}
