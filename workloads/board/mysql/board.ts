/** The user who reads the list: it stands for a session. */
export const READER = 1;

/** The answer of the home page, which takes no database: 160 bytes, as was published for Go. */
export const HOME = {
  success: true,
  error: '',
  result: {
    success: true,
    officialWebsite: 'example.dev',
    version: '1.0.0-beta1',
    license: 'MIT',
    github: 'github.com/author/board',
  },
};

/** As long as was published for Bun: 114 bytes. What was in it isn't told. */
export const SHORT_HOME = {
  ...HOME.result,
  version: '1.0.0',
  github: 'github.com/author/js',
};
