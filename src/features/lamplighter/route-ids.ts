export const HOME_ROUTE = 'lamplighter.home';
