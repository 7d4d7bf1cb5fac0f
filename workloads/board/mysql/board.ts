/** The user who reads the list: it stands for a session. */
export const READER = 1;

/** The answer of the home page, which takes no database. */
export const HOME = {
  name: 'board',
  message: 'Welcome to the message board',
  status: 'ok',
};
