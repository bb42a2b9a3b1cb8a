export { build } from 'vitepress'
