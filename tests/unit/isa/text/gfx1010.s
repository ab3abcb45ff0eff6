// Spellings that people write for gfx1010, in wave32. See gfx1030.s.

// lists of image addresses: a dword holds four after the first; at most five are said to be fast, all are assembled
image_load v[0:3], [v7, v9], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D
image_sample v[0:3], [v4, v6, v8], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
image_sample_c_l v[0:3], [v4, v6, v8, v10, v12], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
image_sample_d v[0:3], [v7, v9, v11, v13, v15, v17], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
image_sample_d_cl v[0:3], [v7, v9, v11, v13, v15, v17, v19], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
image_sample_d v[0:3], [v7, v9, v11, v13, v15, v17, v19, v21, v23], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
image_sample_c_d v[0:3], [v7, v9, v11, v13, v15, v17, v19, v21, v23, v25], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
image_sample_c_d_cl_o v[0:3], [v7, v9, v11, v13, v15, v17, v19, v21, v23, v25, v27, v29], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
image_sample_c_d_cl_o v[0:3], v[4:15], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
