// The shader sources in src/draw/shaders, embedded by cmake/shaders.cmake.
#ifndef ERGI_SHADERS_H
#define ERGI_SHADERS_H

extern const char ergi_shader_sphere_vertex[], ergi_shader_sphere_fragment[];
extern const char ergi_shader_mesh_vertex[], ergi_shader_mesh_fragment[];
extern const char ergi_shader_prop_vertex[], ergi_shader_prop_fragment[];
extern const char ergi_shader_cell_vertex[], ergi_shader_cell_fragment[];
extern const char ergi_shader_depth_fragment[], ergi_shader_glass_fragment[];
extern const char ergi_shader_land_vertex[], ergi_shader_land_fragment[];
extern const char ergi_shader_line_vertex[], ergi_shader_line_fragment[];
extern const char ergi_shader_screen_vertex[], ergi_shader_occlusion_fragment[];
extern const char ergi_shader_blur_fragment[], ergi_shader_light_fragment[];
extern const char ergi_shader_copy_fragment[];
extern const char ergi_shader_label_vertex[], ergi_shader_label_fragment[];

#endif
