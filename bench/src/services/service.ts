/** Where services listen, beside their sockets. */
export const LOOPBACK = '127.0.0.1';

/** Where an instance of a service is; its folder is its own, and goes with the run. */
export interface Place {
  folder: string;
  /** The folder of its data, within its own; it exists when the service starts. */
  data: string;
  /** The path of its Unix socket, which may have 107 bytes at the most. */
  socket: string;
  /** The port on the loopback address. */
  port: number;
}

/** A database or cache that is started for servers under test: what it takes, and what it gives them. */
export interface Service {
  label: string;
  /** The program that serves, by every name that it goes by. */
  program: readonly string[];
  /** The Debian packages that bring its programs. */
  packages: readonly string[];
  /** How it tells its version: by these arguments, and where in the text. */
  version: { args: readonly string[]; pattern: RegExp };
  /**
   * What makes the folder of its data, where that takes long: it is done once a version, kept, and
   * copied for each start. Null for a service that starts with an empty folder.
   */
  fresh: { program: readonly string[]; args(data: string): string[] } | null;
  /** Whether all that it was told is in the folder of its data once it has ended by itself. */
  persists: boolean;
  /** Files that it reads when it starts, by their names in its folder. */
  files: Readonly<Record<string, string>>;
  /** The arguments that start an instance in this place, which reads nothing of the machine's own. */
  args(place: Place): string[];
  /** What is said to it, and how it begins to answer once it serves. */
  greeting: { say: string; isAnswer(bytes: Buffer): boolean };
  /** How servers and seeds find it: what they have in their environment. */
  environment(place: Place): Record<string, string>;
}

/** How many connections a service takes: a server may open one for each request that is under way. */
export const MOST_CONNECTIONS = 10_000;
