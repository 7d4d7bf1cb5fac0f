/** Where services listen, beside their sockets. */
export const LOOPBACK = '127.0.0.1';

/** Where an instance of a service is; its folder is its own, and is removed with the run's. */
export interface Place {
  folder: string;
  /** The folder of its data, inside its own; it exists when the service starts. */
  data: string;
  /** The path of its Unix socket, at most 107 bytes long. */
  socket: string;
  /** The port on the loopback address. */
  port: number;
}

/** A database or cache that is started for servers under test: what it needs, and how they reach it. */
export interface Service {
  label: string;
  /** The names of the program that serves, as distributions have it. */
  program: readonly string[];
  /** The Debian packages that install its programs. */
  packages: readonly string[];
  /** The arguments that make it print its version, and where in the text that is. */
  version: { args: readonly string[]; pattern: RegExp };
  /**
   * The program that initializes its data, which takes long: it runs once for each version, and the result is
   * cached and copied for each start. Null for a service that starts with an empty folder.
   */
  fresh: { program: readonly string[]; args(data: string): string[] } | null;
  /** Whether everything that was stored is in the folder of its data once it has ended by itself. */
  persists: boolean;
  /** Files that it reads when it starts, by their names in its folder. */
  files: Readonly<Record<string, string>>;
  /** The arguments that start an instance in this place, which reads no configuration of the machine. */
  args(place: Place): string[];
  /** What is sent to it, and whether bytes are its first answer once it serves. */
  greeting: { say: string; isAnswer(bytes: Buffer): boolean };
  /** How servers and seeds find it: what they have in their environment. */
  environment(place: Place): Record<string, string>;
}

/** How many connections a service accepts: a server may open one for each request in flight. */
export const MOST_CONNECTIONS = 10_000;
