import DefaultTheme from 'vitepress/theme-without-fonts'
import '../../../web/tokens.css'
import './look.css'

// Addresses of operations before the reference had one of its own: /docs#/charts/get_apple_charts
if (typeof location !== 'undefined' && location.hash.startsWith('#/'))
  location.replace(`/docs/reference${location.hash}`)

export default DefaultTheme
