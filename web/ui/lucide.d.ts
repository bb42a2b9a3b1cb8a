declare module 'virtual:lucide/*' {
  const icon: import('./icons.ts').IconComponent
  export default icon
}
