export const HOME_ROUTE = 'lamplighter.home';
export const TELL_ROUTE = 'lamplighter.tell-when-back';
