export { onCallRoute } from './on-call-route.ts';
