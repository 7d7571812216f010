export const LIST_ROUTE = 'instances.list';
/** A part of the Home. */
export const TROUBLE_ROUTE = 'instances.trouble';
export const SHOW = 'instances.show';
export const DELETE = 'instances.delete';
export const FAVOURITES = 'instances.favourites';
export const FORGET = 'instances.forget';
