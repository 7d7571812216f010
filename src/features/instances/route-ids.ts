export const LIST_ROUTE = 'instances.list';
export const SHOW = 'instances.show';
export const DELETE = 'instances.delete';
export const FAVOURITES = 'instances.favourites';
export const FORGET = 'instances.forget';
