/** The ids by which the verbs of add-ons and their buttons name one another. */
export const ADDONS_LIST = 'addons.list';
export const ADD = 'addons.add';
export const REMOVE = 'addons.remove';
/** The value of the button that asks for an add-on for whichever instance is picked then. */
export const ADD_ANYWHERE = 'anywhere';
